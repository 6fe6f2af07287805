/** What Argon2id costs whoever guesses: its memory in KiB, and how often it goes over it. */
export interface HashCost {
  readonly memoryCost: number
  readonly timeCost: number
}

export interface HashCosts {
  readonly password: HashCost
  readonly recoveryCode: HashCost
}

/** OWASP's choices: recovery codes take the second, since 80 random bits are no password, and ten are compared one after another. */
export const HASH_COSTS: HashCosts = {
  password: { memoryCost: 65_536, timeCost: 2 },
  recoveryCode: { memoryCost: 19_456, timeCost: 2 },
}

/** A salted hash that is slow to make: outside of transactions. */
export function slowHash(text: string, cost: HashCost): Promise<string> {
  return Bun.password.hash(text, { algorithm: 'argon2id', ...cost })
}
