/** The page of all that somebody can use, whose own are below it, and where those are that are everybody's. */
export const LIST = '/console/canned-replies'
export const OWN = LIST
export const SHARED = '/console/shared-canned-replies'
