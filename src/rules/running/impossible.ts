import { checkNamed } from '../../conditions/named.ts'
import { remembered } from '../../db/index.ts'
import { customFields, forms, groups, inboxes, organisations, rules, tags, teams, users } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { enabledRules } from '../read.ts'

/**
 * The tenant's rules that cannot be asked about anything, since their conditions name what is no more, with the reason. Looked
 * for again once anything of that kind was written.
 */
export const impossibleRules = remembered(
  [rules, inboxes, forms, users, teams, tags, groups, organisations, customFields],
  async (db, tenantId: string): Promise<ReadonlyMap<string, string>> => {
    const impossible = new Map<string, string>()
    for (const { id, conditions } of [...(await enabledRules(db, tenantId)).values()].flat()) {
      try {
        await checkNamed(db, tenantId, conditions, 'when')
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        impossible.set(id, error.message)
      }
    }
    return impossible
  },
)
