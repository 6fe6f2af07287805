import { startSuggestions } from '../../writing/suggestions.ts'

/** Neither within a word nor within an address, as the server reads it. */
const MARK = /(?<![\p{L}\p{N}_.+-])@((?:[^\s@][^@\n]{0,60})?)$/u

/** Offers colleagues by name behind `@` in a note: whoever is named so is told of it. */
export function startNaming(): void {
  const names = document.querySelector<HTMLDataListElement>('[data-colleagues]')
  const form = names?.closest('form')
  const note = form?.querySelector<HTMLTextAreaElement>('textarea[name="note"]')
  if (!names || !form || !note) return
  const put = (text: string, from: number) => {
    note.setRangeText(text, from, note.selectionStart, 'end')
    note.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const before = () => note.value.slice(0, note.selectionStart)
  const suggestions = [...names.options].map(({ value }) => ({
    text: value,
    choose: () => put(`@${value} `, note.selectionStart),
  }))
  startSuggestions(form, {
    field: note,
    label: names.dataset.colleagues ?? '',
    typed: () => (note.selectionStart === note.selectionEnd ? (MARK.exec(before())?.[1] ?? null) : null),
    remove: () => note.setRangeText('', before().lastIndexOf('@'), note.selectionStart, 'end'),
    place: () => note.getBoundingClientRect(),
    all: () => suggestions,
  })
}
