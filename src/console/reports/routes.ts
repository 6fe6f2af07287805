import type { Guard } from '../guard.ts'
import { REPORTS } from './asked.ts'
import { exportedTables, exportTable } from './exports.ts'
import { reportPage } from './page.ts'
import { reportTicketsPage } from './tickets-page.ts'

/** How support does: the report, the tickets it is made of, and its tables as files. */
export function reportPages(add: Guard): void {
  add.page(REPORTS, {}, reportPage)
  add.page(`${REPORTS}/tickets`, {}, reportTicketsPage)
  for (const name of exportedTables) add.resource(`${REPORTS}/${name}.csv`, {}, (visit) => exportTable(visit, name))
}
