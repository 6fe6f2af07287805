import { dialog } from './embed/dialog.ts'
import { inline } from './embed/inline.ts'

/*
 * `<script src="https://…/embed.js" data-form="CODE"></script>` puts a hosted form into another site's page: in the place
 * of the script, or with `data-mode="dialog"` or `"slide-in"` behind a button. `data-query` is the query of the form's
 * address: answers to fill in, and hidden fields. The script element gets the events `frontdesk:ready`, `frontdesk:page`
 * and `frontdesk:complete`, which bubble and tell no answers (decisions §12).
 */
const script = document.currentScript as HTMLScriptElement | null
const code = script?.dataset.form
if (script && code) {
  const address = new URL(`f/${encodeURIComponent(code)}`, script.src)
  const { mode, query = '' } = script.dataset
  address.search = query
  if (mode === 'dialog' || mode === 'slide-in') dialog(script, address, mode)
  else inline(script, address)
}
