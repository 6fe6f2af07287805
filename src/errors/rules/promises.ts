/** What promises are held to (decisions §18). */
export const promises = {
  target_needed: 'must hold a time for at least one priority',
  priority_unknown: '{name} is not a priority: {choices}',
  too_many_promises: 'there are at most {most} promises: delete one first',
  promise_taken: 'a promise of this name already exists',
} as const
