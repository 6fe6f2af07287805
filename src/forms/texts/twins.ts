/** Fields whose labels answers name, or results are read by: they stay, and what is shown stands beside them. */
export const twins = {
  options: 'labels',
  rankOptions: 'rankLabels',
  columnHeadings: 'columnLabels',
  rowHeadings: 'rowLabels',
  scales: 'scaleLabels',
} as const
