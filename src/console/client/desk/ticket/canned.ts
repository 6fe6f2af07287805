import { startSuggestions } from '../../writing/suggestions.ts'

/** A mark that begins a word, and what is looked for behind it. */
const MARK = /(?:^|[\s\u200b(])\/((?:[^\s/][^/\n]{0,40})?)$/

/**
 * Puts a canned reply in where the writer is, without a new page: what is typed behind `/` finds it. The editor takes what
 * comes into its text area.
 */
export function startCanned(): void {
  const picker = document.querySelector<HTMLElement>('[data-canned]')
  const form = picker?.closest('form')
  const editor = form?.querySelector<HTMLElement>('.editor')
  const area = form?.querySelector<HTMLTextAreaElement>('textarea[name="answer"]')
  if (!picker || !form || !editor || !area) return
  const insert = async (id: string) => {
    const response = await fetch(`${picker.dataset.canned}/${id}`, { headers: { accept: 'application/json' } })
    // Gone in the meantime, or signed out: a new page says which.
    if (!response.ok || response.redirected) {
      location.reload()
      return
    }
    const { text } = (await response.json()) as { text: string }
    area.value = text
    area.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const options = [...picker.querySelectorAll<HTMLOptionElement>('option')].filter(({ value }) => value !== '')
  const suggestions = options.map((option) => ({
    text: option.text,
    detail: option.closest('optgroup')?.label ?? '',
    choose: () => void insert(option.value),
  }))
  startSuggestions(form, {
    field: editor,
    label: picker.querySelector('label')?.textContent ?? '',
    typed: () => MARK.exec(beforeCaret(editor))?.[1] ?? null,
    remove: () => {
      const { anchorNode, anchorOffset } = getSelection() as Selection
      const mark = beforeCaret(editor).lastIndexOf('/')
      getSelection()?.setBaseAndExtent(anchorNode as Text, mark, anchorNode as Text, anchorOffset)
      document.execCommand('delete')
    },
    place: () => {
      const rect = getSelection()?.getRangeAt(0).getBoundingClientRect()
      return rect && rect.height > 0 ? rect : editor.getBoundingClientRect()
    },
    all: () => suggestions,
  })
  form.querySelector('[data-open-canned]')?.addEventListener('click', () => {
    editor.focus()
    document.execCommand('insertText', false, /(?:^|[\s\u200b])$/.test(beforeCaret(editor)) ? '/' : ' /')
  })
}

/** What stands before the caret in its piece of text. */
function beforeCaret(editor: HTMLElement): string {
  const selection = getSelection()
  const { anchorNode = null, anchorOffset = 0 } = selection ?? {}
  const isWithin = selection?.isCollapsed && anchorNode instanceof Text && editor.contains(anchorNode)
  return isWithin ? anchorNode.data.slice(0, anchorOffset) : ''
}
