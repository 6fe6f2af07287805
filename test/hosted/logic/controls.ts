import type { Page } from 'playwright-core'

/** An answer to a question, as it is sent. */
export interface Entered {
  id: number
  type: string
  answer: unknown
}

/** Puts answers into the controls of questions, shown or not, as somebody would who came by them at some time. */
export async function enter(page: Page, answers: readonly Entered[]): Promise<void> {
  await page.evaluate((answers) => {
    for (const { id, type, answer } of answers) {
      const question = document.querySelector(`#q${id}`) as HTMLElement
      const field = (selector: string) => question.querySelector<HTMLInputElement>(selector) as HTMLInputElement
      const tick = (selector: string) => {
        field(selector).checked = true
      }
      const put = (selector: string, value: string) => {
        field(selector).value = value
      }
      const given = answer as Record<string, string>
      const list = () => answer as Record<string, number>[]
      const choose = () => {
        const { selected, other } = answer as { selected: string | string[] | null; other: string | null }
        for (const option of [selected ?? []].flat()) tick(`[value="${option}"]`)
        if (other === null) return
        tick('[data-other]')
        put('.other', other)
      }
      const putIn: Record<string, () => void> = {
        choose_one: choose,
        choose_any: choose,
        multi_dropdown: choose,
        dropdown() {
          const { selected, other } = answer as { selected: string | null; other: string | null }
          const select = question.querySelector('select') as HTMLSelectElement
          if (selected !== null) select.value = selected
          else select.selectedIndex = [...select.options].findIndex(({ dataset }) => 'other' in dataset)
          if (other !== null) put('.other', other)
        },
        likert() {
          for (const { scale, value } of list()) tick(`#q${id}-${scale}-${value}`)
        },
        likert_slider() {
          for (const { scale, value } of list()) {
            put(`#q${id}-${scale}`, String(value))
            field(`#q${id}-${scale}`).dispatchEvent(new Event('input', { bubbles: true }))
          }
        },
        nps: () => tick(`#q${id}-0-${answer}`),
        binary: () => tick(`#q${id}-${answer}`),
        star_rating: () => tick(`#q${id}-${answer}`),
        matrix() {
          for (const { row, column } of list()) tick(`#q${id}-${row}-${column}`)
        },
        ranking: () => put('[type=hidden]', JSON.stringify(answer)),
        contact_details() {
          for (const [name, value] of Object.entries(given)) put(`[data-field=${name}]`, value)
        },
        date_range() {
          for (const [end, value] of Object.entries(given)) put(`[data-end=${end}]`, value)
        },
        file_upload: () =>
          put('[type=hidden]', JSON.stringify(list().map(({ uploadId }) => ({ uploadId, name: 'a.png', size: 70 })))),
        signature: () => put('[type=hidden]', JSON.stringify({ key: 'drawn', uploadId: given.uploadId })),
        payment: () => question.querySelector('[type=checkbox]') && tick('[type=checkbox]'),
      }
      const write = putIn[type] ?? (() => put('.text', String(answer)))
      write()
      question.dispatchEvent(new Event('sync'))
      question.dispatchEvent(new Event('input', { bubbles: true }))
    }
  }, answers)
}
