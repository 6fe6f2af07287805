import type { Command } from 'commander'
import type { Reader } from '../../db/index.ts'
import { notFound } from '../../errors.ts'
import { followTag } from '../../rules/tag-names.ts'
import { createTag, deleteTag, mergeTags, updateTag } from '../../tags/operations.ts'
import { findTag } from '../../tags/read.ts'
import { change, noun, type TenantOptions, withTenant } from '../command.ts'
import { print } from '../print.ts'

interface TagOptions extends TenantOptions {
  tag: string
}

/** `tag create`, `rename`, `merge` and `delete`. */
export function tagCommands(root: Command): void {
  const tag = noun(root, 'tag')
  const about = (name: string, description: string) =>
    withTenant(tag.command(name)).description(description).requiredOption('--tag <name>', 'its name, in whatever case')

  withTenant(tag.command('create'))
    .description('create a tag')
    .requiredOption('--name <name>')
    .option('--colour <colour>', 'such as #0a7d4f')
    .action(async (options: TenantOptions & { name: string; colour?: string }) =>
      print(await change(options, (tx, caller) => createTag(tx, caller, options)), options),
    )

  about('rename', 'rename or colour a tag, on all its tickets at once')
    .option('--name <name>')
    .option('--colour <colour>', "such as #0a7d4f; '' for none")
    .action(async (options: TagOptions & { name?: string; colour?: string }) => {
      const renamed = await change(options, async (tx, caller) =>
        updateTag(tx, caller, await tagIdOf(tx, caller.tenantId, options.tag), options, followTag),
      )
      print(renamed, options)
    })

  about('merge', 'give all its tickets another tag instead, and delete it')
    .requiredOption('--into <name>', 'the other one')
    .action(async (options: TagOptions & { into: string }) => {
      const merged = await change(options, async (tx, caller) => {
        const [id, into] = [
          await tagIdOf(tx, caller.tenantId, options.tag),
          await tagIdOf(tx, caller.tenantId, options.into),
        ]
        return mergeTags(tx, caller, id, into, followTag)
      })
      print(merged, options)
    })

  about('delete', 'take a tag from all its tickets, and delete it').action(async (options: TagOptions) => {
    const tagId = await change(options, async (tx, caller) => {
      const id = await tagIdOf(tx, caller.tenantId, options.tag)
      await deleteTag(tx, caller, id)
      return id
    })
    print({ tagId }, options)
  })
}

async function tagIdOf(db: Reader, tenantId: string, name: string): Promise<string> {
  const tag = await findTag(db, tenantId, name)
  if (!tag) throw notFound('tag')
  return tag.id
}
