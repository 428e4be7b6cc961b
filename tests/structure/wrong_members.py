#!/usr/bin/env python3
"""wrong_members.py COMPILER SOURCE INCLUDE...: compiles the source, which must fail with the sentences of its lines
"expected: SENTENCE", each as often as it is there, and with no other error."""
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

compiler, source, *includes = sys.argv[1:]
expected = Counter(re.findall(r"^// expected: (.*)$", Path(source).read_text(encoding="utf-8"), re.MULTILINE))
version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout
all_errors = "-ferror-limit=0" if "clang" in version else "-fmax-errors=0"
command = [compiler, "-std=c++20", "-fsyntax-only", all_errors, "-w", *(f"-I{folder}" for folder in includes), source]
output = subprocess.run(command, capture_output=True, text=True).stderr
errors = re.findall(r"^.*\berror: (.*)$", output, re.MULTILINE)
wrong = [error for error in errors if not any(sentence in error for sentence in expected)]
for sentence, times in expected.items():
    found = sum(sentence in error for error in errors)
    if found != times:
        wrong.append(f"{found} errors in place of {times}: {sentence}")
if wrong or not expected:
    sys.exit("\n".join([output, *wrong]))
