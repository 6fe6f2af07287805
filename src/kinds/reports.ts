/** What is mailed by itself: how the last week was, on Mondays, or what is overdue, each morning there is something. */
export const reportKinds = ['week', 'overdue'] as const
export type ReportKind = (typeof reportKinds)[number]
