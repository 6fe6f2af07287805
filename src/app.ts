import { type AnyElysia, Elysia } from 'elysia'
import { articleRoutes } from './articles/routes.ts'
import { Assistant } from './assistant/assistant.ts'
import { assistantRoutes } from './assistant/routes.ts'
import { backupWarning } from './backup/schedule.ts'
import { channelWarnings } from './channels/warnings.ts'
import type { Config } from './config.ts'
import { consoleRoutes } from './console/routes.ts'
import { belongingDeletionRoutes } from './contacts/deletion/routes.ts'
import { contactFieldRoutes } from './contacts/fields/routes.ts'
import { contactRoutes } from './contacts/routes.ts'
import { demoSiteRoutes } from './demo/site/routes.ts'
import { createDeps, type Deps } from './deps.ts'
import { describe } from './docs/document.ts'
import { docsRoutes } from './docs/routes.ts'
import type { OpenApiDocument } from './docs/types.ts'
import { doctorRoutes } from './doctor/routes.ts'
import { eventRoutes } from './eventlog/routes.ts'
import { formRoutes } from './forms/routes.ts'
import { groupRoutes } from './groups/routes.ts'
import { guideRoutes } from './guide/routes.ts'
import { helpRoutes } from './help/routes.ts'
import { homeRoutes } from './home/routes.ts'
import { hostedPageRoutes } from './hosted/page-routes.ts'
import { collectionRoutes } from './hosted/routes.ts'
import { api } from './http/api.ts'
import { healthRoutes } from './http/health.ts'
import { inboxRoutes } from './inboxes/routes.ts'
import { keyRoutes } from './keys/routes.ts'
import { chatPageRoutes } from './livechat/page-routes.ts'
import { chatRoutes } from './livechat/routes.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { organisationRoutes } from './organisations/routes.ts'
import type { Parts } from './parts.ts'
import { stripeRoutes } from './payments/routes.ts'
import { allResponsesRoutes, responseRoutes } from './responses/routes.ts'
import { tagRoutes } from './tags/routes.ts'
import { teamRoutes, userRoutes } from './teams/routes.ts'
import { attachmentRoutes } from './tickets/attachments/routes.ts'
import { ticketRoutes } from './tickets/routes.ts'
import { uploadRoutes } from './uploads/routes.ts'
import { deliveryRoutes } from './webhooks/history/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import { workspaceRoutes } from './workspaces/routes.ts'

/** Every route of the service, in one list. Never listens: see `http/server.ts`. */
export function createApp(deps: Deps): App {
  const assistant = new Assistant(deps)
  // Elysia otherwise takes host names to be of four letters at least, and looks for the path behind them.
  const app = new Elysia({ normalize: false, handler: { standardHostname: false } })
    .use(api(deps))
    .use(homeRoutes(deps))
    .use(guideRoutes(deps))
    .use(demoSiteRoutes(deps))
    .use(healthRoutes(deps, [() => deps.database.warning(), backupWarning(deps), ...channelWarnings(deps)]))
    .use(doctorRoutes(deps))
    .use(keyRoutes(deps))
    .use(workspaceRoutes(deps))
    .use(formRoutes(deps))
    .use(responseRoutes(deps))
    .use(allResponsesRoutes(deps))
    .use(uploadRoutes(deps))
    .use(contactRoutes(deps))
    .use(organisationRoutes(deps))
    .use(groupRoutes(deps))
    .use(contactFieldRoutes(deps))
    .use(belongingDeletionRoutes(deps))
    .use(inboxRoutes(deps))
    .use(ticketRoutes(deps))
    .use(tagRoutes(deps))
    .use(teamRoutes(deps))
    .use(userRoutes(deps))
    .use(attachmentRoutes(deps))
    .use(articleRoutes(deps))
    .use(assistantRoutes(deps, assistant))
    .use(helpRoutes(deps, assistant))
    .use(webhookRoutes(deps))
    .use(deliveryRoutes(deps))
    .use(eventRoutes(deps))
    .use(collectionRoutes(deps))
    .use(hostedPageRoutes(deps))
    .use(chatRoutes(deps))
    .use(chatPageRoutes(deps))
    .use(stripeRoutes(deps))
    .use(consoleRoutes(deps))
  return app.use(docsRoutes(deps, app)).use(mcpRoutes(deps, app))
}

/** The OpenAPI document, without a service: for the command line. Routes are only made and not called. */
export function openApiDocument(config: Config): OpenApiDocument {
  const absent = { db: {} }
  const parts = {
    config,
    database: absent,
    clock: absent,
    log: absent,
    meter: undefined,
    channels: absent,
    examples: absent,
    demoSource: undefined,
    secrets: absent,
    providerEndpoints: absent,
    hashCosts: undefined,
    startBackup: undefined,
    startLook: undefined,
    files: absent,
    resolver: absent,
  } satisfies Record<keyof Parts, unknown>
  return describe(createApp(createDeps(parts as unknown as Parts)), config)
}

/** Without the types of its routes, which are more than the compiler goes through. */
export type App = AnyElysia
