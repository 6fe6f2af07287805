/*
 * What is pressed must not be put out of the page before it is let go: no click comes of it then, and whoever typed
 * something and went on to a button would have to press it twice.
 */

let isDown = false
let isDragging = false
let waiting: (() => void)[] = []

/** Begins to note when something is pressed, and let go. */
export function watchPresses(): void {
  const on = <K extends keyof WindowEventMap>(type: K, act: (event: WindowEventMap[K]) => void) =>
    window.addEventListener(type, act, { capture: true })
  on('pointerdown', ({ button, isPrimary }) => {
    if (isPrimary && button === 0) isDown = true
  })
  on('pointerup', letGo)
  // A button is pressed by the space bar as it goes up, and by Enter as that goes down.
  on('keydown', ({ key }) => {
    if (key === ' ') isDown = true
  })
  on('keyup', letGo)
  // What is drawn elsewhere is no longer the pointer's: its own end comes later.
  on('dragstart', () => {
    isDragging = true
  })
  on('pointercancel', () => {
    if (!isDragging) letGo()
  })
  on('dragend', letGo)
  // Whatever became of the end, of which a window that lost the focus may not be told.
  on('pointermove', ({ buttons }) => {
    if (buttons === 0) letGo()
  })
}

/** Resolves once nothing is pressed, and what was has had its click. */
export function released(): Promise<void> {
  return isDown ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve()
}

function letGo(): void {
  isDragging = false
  if (!isDown) return
  isDown = false
  const due = waiting
  waiting = []
  // The click comes right after, in the same task.
  setTimeout(() => {
    for (const resolve of due) resolve()
  })
}
