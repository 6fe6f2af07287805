import { buildPath } from '../draft.ts'

/** Where the map of a form is. */
export const mapPath = (formId: string) => `${buildPath(formId)}/map`
