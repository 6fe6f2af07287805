/** How a team hands what comes to it to its members: not by itself, in turn, or to whoever has the fewest open tickets. */
export const distributions = ['none', 'round_robin', 'least_open'] as const
