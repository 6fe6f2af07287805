import type { automation } from '../../../../errors/rules/automation.ts'
import type { RuleWords } from '../../rules.ts'

export const automationRules = {
  rule_span: 'Write it as 30m, 4h or 2d: minutes, hours or days, a year at most.',
  rule_action_unfit: 'This cannot be done here. Choose something else of the list.',
  rule_user_or_team: 'Choose a person or a team.',
  rule_html_or_canned: 'Write an answer, or choose a canned reply.',
  rule_canned_unknown: 'There is no such canned reply. Choose another one.',
  rule_not_a_colleague: '{address} is nobody who works here. Only colleagues can be mailed.',
  rule_too_many_rules: 'There are at most {most} rules. Delete one first.',
  rule_rules_listed: 'The order has changed meanwhile. Look at it again.',
  rule_email_inbox: 'Choose an email inbox.',
} satisfies RuleWords<typeof automation>
