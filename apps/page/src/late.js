// What is behind the script of the page, so that the picture need not wait until a browser has read it.
const read = new Promise((done) => {
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', done, { once: true });
  else done();
});

/** The text of an element. */
export async function text(id) {
  await read;
  return document.getElementById(id).textContent;
}

const running = new Map();
/** Runs the script in an element, once. */
export function script(id) {
  if (!running.has(id)) {
    running.set(id, text(id).then((source) => {
      const made = document.createElement('script');
      made.textContent = source;
      document.head.append(made);
    }));
  }
  return running.get(id);
}
