import { changeTexts } from '../../../src/forms/texts/operations.ts'
import type { TestTenant } from '../app.ts'

/** Gives a form texts in a language, by their keys. */
export function translate(tenant: TestTenant, { id }: { id: string }, language: string, texts: Record<string, string>) {
  const changes = Object.entries(texts).map(([key, text]) => ({ key, text }))
  return tenant.perform((tx, caller) => changeTexts(tx, caller, id, language, changes))
}
