import type { Guard } from '../guard.ts'
import { REPORTS } from './asked.ts'
import { exportedTables, exportTable } from './exports.ts'
import { reportPage } from './page.ts'
import { reportTicketsPage } from './tickets-page.ts'

/** How support does: the report, the tickets it is made of, and its tables as files. */
export function reportPages(add: Guard): void {
  add.page(REPORTS, { isList: true }, reportPage)
  add.page(`${REPORTS}/tickets`, { isList: true }, reportTicketsPage)
  for (const name of exportedTables)
    add.resource(`${REPORTS}/${name}.csv`, { isList: true }, (visit) => exportTable(visit, name))
}
