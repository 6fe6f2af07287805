/** What rules of companies are held to (decisions §17). */
export const automation = {
  span: 'must be a span such as 30m, 4h or 2d, of a year at most',
  action_unfit: 'cannot be done about a {subject}',
  user_or_team: 'must hold user, team or both',
  html_or_canned: 'must hold either html or canned',
  canned_unknown: 'there is no such canned reply',
  not_a_colleague: '{address} is nobody who works here',
  too_many_rules: 'there are at most {most} rules: delete one first',
  rules_listed: 'must name every rule once',
  email_inbox: 'must be an email inbox',
} as const
