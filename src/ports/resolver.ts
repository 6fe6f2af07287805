/** Asks the domain name system; throws an error with a `code` where there is no answer. */
export type Resolver = (name: string, type: string) => Promise<string[][] | string[]>
