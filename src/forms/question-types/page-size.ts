/** What a button, a box or an option of a list takes on a page besides its label, in bytes. */
export const CONTROL_SIZE = 120
/** What escaping adds to a character, at most. */
const ESCAPE = 5

/** About how many bytes of a form's page the controls with these labels take, of `control` bytes each without it. */
export function sizeOfControls(labels: readonly string[], control = CONTROL_SIZE): number {
  return labels.reduce((sum, label) => sum + control + sizeOfLabel(label), 0)
}

function sizeOfLabel(label: string): number {
  return Buffer.byteLength(label) + ESCAPE * (label.match(/[&<>"']/g)?.length ?? 0)
}
