/** What a button, a box or an option of a list takes on a page besides its label, in bytes. */
export const CONTROL_SIZE = 120
/** What escaping adds to a character, at most. */
const ESCAPE = 5

/** About how many bytes of a form's page the controls with these labels take. */
export function sizeOfControls(labels: readonly string[]): number {
  return labels.reduce((sum, label) => sum + CONTROL_SIZE + sizeOfLabel(label), 0)
}

function sizeOfLabel(label: string): number {
  return Buffer.byteLength(label) + ESCAPE * (label.match(/[&<>"']/g)?.length ?? 0)
}
