/*
 * Hands a key over to the documentation, in the storage of this tab, which no other site reads and no server logs. The
 * documentation takes it from there: see `docs/start.js`.
 */

const link = document.querySelector<HTMLAnchorElement>('a[data-docs-key]')

if (link) {
  try {
    sessionStorage.setItem('frontdesk-docs-key', link.dataset.docsKey ?? '')
    // Replaces the page with the key in the history, so that Back does not lead to it.
    location.replace(link.href)
  } catch {
    // Without storage the key stays where it can be copied.
  }
}
