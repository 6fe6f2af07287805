/* How much of it a form may have (decisions §21). */

export const MAX_CONDITIONS = 20
export const MAX_VARIABLES = 20
export const MAX_ENDS = 20
/** Values of one `one_of`. */
export const MAX_VALUES = 100
