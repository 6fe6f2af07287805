import type { Command } from 'commander'
import { openApiDocument } from '../app.ts'
import { loadConfig } from '../config.ts'
import { printsRecord } from './command.ts'
import { print } from './print.ts'

/** `openapi`. */
export function openApiCommand(root: Command): void {
  printsRecord(root.command('openapi'))
    .description('print the OpenAPI document, which is always JSON')
    .action(() => print(openApiDocument(loadConfig(process.env)), { json: true }))
}
