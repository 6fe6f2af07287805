import type { Claim } from '../batches/batches.ts'

/**
 * Who is sent to next, so that endpoints that do not answer hold up no one who does. A subscription whose last attempt
 * succeeded, was never made, or failed stands in a lane of its own kind; for each, how many deliveries may be under way
 * (of all lanes together) for another to start: of its tenant, and of all tenants.
 */
const LANES = {
  healthy: { perTenant: 2_000, overall: 3_000 },
  untried: { perTenant: 1_500, overall: 2_500 },
  failing: { perTenant: 1_500, overall: 2_000 },
} as const

type Lane = keyof typeof LANES
const lanes = Object.keys(LANES) as Lane[]

/** Deliveries to failing subscriptions under way for one tenant: they tend to take the whole timeout. */
const FAILING_OF_TENANT = 200
/** Deliveries under way for one tenant that have not taken long yet: the burst that other tenants wait for. */
const PROMPT_OF_TENANT = 400
/** How long a delivery counts as prompt, in milliseconds. Then its place in the burst is free for another. */
const PROMPT_MS = 250
/** Deliveries started before requests are read again: each takes half a millisecond to prepare and end. */
const AT_ONCE = 5
/** Subscriptions whose last outcome is remembered. */
const REMEMBERED = 100_000

interface TenantLanes {
  waiting: Record<Lane, Claim[]>
  underWay: number
  failing: number
  prompt: number
}

/** Starts deliveries as far as there is room, tenant by tenant in turn. */
export class Lanes {
  readonly #tenants = new Map<string, TenantLanes>()
  readonly #succeeded = new Map<string, boolean>()
  #underWay = 0
  /** Started since requests were last read. */
  #started = 0
  #idle: (() => void)[] = []

  /** `send` makes one attempt and says whether it succeeded; null when none was made. It never rejects. */
  constructor(private readonly send: (claim: Claim) => Promise<boolean | null>) {}

  /** Sends these as soon as there is room. */
  add(claims: readonly Claim[]): void {
    for (const claim of claims) this.#of(claim.tenantId).waiting[this.#laneOf(claim)].push(claim)
    this.#startWhatFits()
  }

  /** Forgets what waits, so that nothing starts any more. */
  clear(): void {
    for (const tenant of this.#tenants.values()) for (const lane of lanes) tenant.waiting[lane] = []
    this.#tellIdle()
  }

  /** Resolves when nothing waits or is under way. */
  async idle(): Promise<void> {
    if (!this.#isIdle()) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  #of(tenantId: string): TenantLanes {
    const known = this.#tenants.get(tenantId)
    if (known) return known
    const tenant = { waiting: { healthy: [], untried: [], failing: [] }, underWay: 0, failing: 0, prompt: 0 }
    this.#tenants.set(tenantId, tenant)
    return tenant
  }

  #laneOf({ webhookId, attempts }: Claim): Lane {
    const succeeded = this.#succeeded.get(webhookId)
    if (attempts > 0 || succeeded === false) return 'failing'
    return succeeded ? 'healthy' : 'untried'
  }

  #startWhatFits(): void {
    let started = true
    while (started) {
      started = false
      for (const [tenantId, tenant] of [...this.#tenants]) {
        if (this.#started >= AT_ONCE) return
        const lane = lanes.find((name) => tenant.waiting[name].length > 0 && this.#hasRoom(tenant, name))
        if (!lane) continue
        // Its next turn is after everybody else's.
        this.#tenants.delete(tenantId)
        this.#tenants.set(tenantId, tenant)
        if (this.#started++ === 0) setImmediate(() => this.#goOn())
        void this.#run(tenant, lane, tenant.waiting[lane].shift() as Claim)
        started = true
      }
    }
  }

  #goOn(): void {
    this.#started = 0
    this.#startWhatFits()
  }

  #hasRoom(tenant: TenantLanes, lane: Lane): boolean {
    const { perTenant, overall } = LANES[lane]
    if (this.#underWay >= overall || tenant.underWay >= perTenant) return false
    return lane === 'failing' ? tenant.failing < FAILING_OF_TENANT : tenant.prompt < PROMPT_OF_TENANT
  }

  async #run(tenant: TenantLanes, lane: Lane, claim: Claim): Promise<void> {
    const kind = lane === 'failing' ? 'failing' : 'prompt'
    let counted = true
    const uncount = () => {
      if (counted) tenant[kind]--
      counted = false
    }
    this.#underWay++
    tenant.underWay++
    tenant[kind]++
    const parking = kind === 'prompt' ? setTimeout(() => this.#after(uncount), PROMPT_MS) : undefined
    const succeeded = await this.send(claim)
    clearTimeout(parking)
    this.#remember(claim.webhookId, succeeded)
    this.#after(() => {
      uncount()
      this.#underWay--
      tenant.underWay--
    })
    this.#forgetIdle(claim.tenantId, tenant)
  }

  #after(change: () => void): void {
    change()
    this.#startWhatFits()
  }

  #remember(webhookId: string, succeeded: boolean | null): void {
    if (succeeded === null) return
    if (this.#succeeded.size >= REMEMBERED) this.#succeeded.clear()
    this.#succeeded.set(webhookId, succeeded)
  }

  #forgetIdle(tenantId: string, tenant: TenantLanes): void {
    if (!isBusy(tenant)) this.#tenants.delete(tenantId)
    this.#tellIdle()
  }

  #tellIdle(): void {
    if (this.#isIdle()) for (const resolve of this.#idle.splice(0)) resolve()
  }

  #isIdle(): boolean {
    return this.#underWay === 0 && !this.#tenants.values().some(isBusy)
  }
}

/** Whether anything of the tenant waits or is under way. */
function isBusy(tenant: TenantLanes): boolean {
  return tenant.underWay > 0 || lanes.some((lane) => tenant.waiting[lane].length > 0)
}
