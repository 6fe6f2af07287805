import Sortable from 'sortablejs'

/** Questions are drawn to their place by their grip, within their page and to another. The buttons do the same by keyboard. */
export function draggable(root: HTMLElement): void {
  for (const list of root.querySelectorAll<HTMLElement>('.form-questions:not(.drags)')) {
    list.classList.add('drags')
    Sortable.create(list, {
      group: 'questions',
      handle: '.grip',
      animation: 120,
      onEnd({ item, from, to, oldIndex, newIndex }) {
        if (from === to && oldIndex === newIndex) return
        const action = `move ${item.dataset.question} ${to.dataset.page} ${newIndex}`
        root.dispatchEvent(new CustomEvent('do', { detail: action }))
      },
    })
  }
}
