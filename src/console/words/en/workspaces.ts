/* Further settings: workspaces, and how forms and chats look. */
export const workspaces = {
  settingsWorkspaces: 'Workspaces',
  workspacesIntro: 'Every form is in a workspace. Programs find forms by it.',
  workspaceName: 'Name',
  workspaceRename: 'Rename',
  workspaceNew: 'New workspace',
  workspaceCreate: 'Create workspace',
  workspaceCreated: 'The workspace {name} was created.',

  tenantAccent: 'Colour',
  tenantAccentHelp:
    'Of forms and chats that have none of their own, such as #0a7d4f. It is made darker or lighter where it could not be read.',

  chatPreview: 'Preview',
  chatPreviewHelp:
    'The button in the corner of this page is the chat, as visitors get it with the settings that are saved. It is real: what you write there becomes a ticket.',
} as const
