import { startChoices } from './desk/choices.ts'
import { Desk } from './desk/desk.ts'
import { startKeys } from './desk/keys.ts'
import { startViewer } from './desk/ticket/viewer.ts'
import { watchPresses } from './presses.ts'

/*
 * The inbox where scripts run: list and ticket stand beside each other where there is room, going from one to the other
 * and everything that is done with them changes the page in place. It goes by the page's own links and forms, so that
 * there is nothing that works only here.
 */

const panes = document.querySelector<HTMLElement>('[data-desk]')
if (panes) {
  watchPresses()
  const desk = new Desk(panes)
  desk.start()
  // A menu that is open comes first: letters choose in it, and are no keys of the page.
  startChoices()
  startKeys(desk)
  startViewer()
}
