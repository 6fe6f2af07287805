const UNDER_WAY = '[data-sending], :has([data-waiting])'

interface Answer {
  /** What it says. */
  readonly said: string
  /** What its writer is told once it is out. */
  readonly sent: string
}

/** The reader's own answers that are on their way, by their place in the thread. */
const underWay = new Map<string, Answer>()

/** Looks at the thread before it is replaced. What is returned says above the page what has become of their answers. */
export function watchOwnAnswers(): () => void {
  for (const waiting of document.querySelectorAll<HTMLElement>('.thread [data-sent]')) {
    const article = waiting.closest('article')
    if (article) underWay.set(placeOf(article), { said: saidIn(article), sent: waiting.dataset.sent ?? '' })
  }
  const known = new Set(articles().map(placeOf))
  return () => {
    const shown = articles()
    for (const [place, { said, sent }] of underWay) {
      if (shown.find((article) => placeOf(article) === place)?.matches(UNDER_WAY)) continue
      underWay.delete(place)
      // What has gone out is a new message. What is gone without one was taken back in another tab.
      const isOut = shown
        .filter((article) => !known.has(placeOf(article)) && saidIn(article) === said)
        .some((article) => article.matches(`.outbound:not(.unsent, ${UNDER_WAY})`))
      const flash = document.querySelector('.flash')
      // One that did not go out says so in the thread.
      if (flash) flash.textContent = isOut ? sent : ''
    }
  }
}

function articles(): Element[] {
  return [...document.querySelectorAll('.thread article')]
}

function placeOf(article: Element): string {
  return article.getAttribute('aria-labelledby') ?? ''
}

function saidIn(article: Element): string {
  return article.querySelector('.said')?.innerHTML ?? ''
}
