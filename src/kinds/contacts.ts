/** How a contact came into the CRM. */
export const contactSources = ['api', 'form', 'email', 'livechat', 'messaging', 'import', 'manual'] as const
