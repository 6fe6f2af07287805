import Sortable from 'sortablejs'

/* Categories, and the articles in each, are drawn to their places by their grips. The buttons do the same by keyboard. */

for (const list of document.querySelectorAll<HTMLElement>('[data-order]')) {
  const isOfArticles = list.classList.contains('placed')
  const handle = isOfArticles ? '.of-article' : '.of-category'
  list.classList.add('drags')
  Sortable.create(list, {
    group: isOfArticles ? 'articles' : 'categories',
    handle,
    draggable: '>li',
    animation: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 120,
    onEnd({ item, from, to, oldIndex, newIndex }) {
      if (from === to && oldIndex === newIndex) return
      const form = item.querySelector<HTMLFormElement>(
        isOfArticles ? ':scope > .moves form' : ':scope > .category-head .moves form',
      )
      if (!form) return
      // Of the category that it was drawn to, which another article of it names.
      const there = to.closest<HTMLElement>('[data-articles]')?.dataset.articles
      if (isOfArticles && there) form.action = there
      const place = document.createElement('input')
      place.type = 'hidden'
      place.name = 'to'
      place.value = String(newIndex ?? 0)
      form.append(place)
      form.requestSubmit()
    },
  })
}
