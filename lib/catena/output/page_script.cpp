// The page's scripts and style, made by apps/page, as bytes of the library. As an array in C++ they would be more than a
// million numbers, which take a compiler half a minute.
#ifdef CATENA_HAS_PAGE
#define CATENA_BYTES_OF(name, file)                                                                  \
  __asm__(".pushsection .rodata\n.global " name "\n.global " name "_end\n" name ":\n.incbin \"" file \
          "\"\n" name "_end:\n.popsection\n")
CATENA_BYTES_OF("catena_page_script", CATENA_PAGE_SCRIPT);
CATENA_BYTES_OF("catena_page_charts", CATENA_PAGE_CHARTS);
CATENA_BYTES_OF("catena_page_style", CATENA_PAGE_STYLE);
#endif
