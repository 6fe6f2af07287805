/** How somebody shows who they are. */
export const signInMethods = ['password', 'passkey', 'provider'] as const
export type SignInMethod = (typeof signInMethods)[number]
