/* Workspaces, and how the chat looks. */
export const workspaces = {
  settingsWorkspaces: 'Workspaces',
  workspacesIntro: 'Every form is in a workspace. Programs find forms by it.',
  workspaceName: 'Name',
  workspaceRename: 'Rename',
  workspaceNew: 'New workspace',
  workspaceCreate: 'Create workspace',
  workspaceCreated: 'The workspace {name} was created.',

  chatPreview: 'Preview',
  chatPreviewHelp:
    'The button in the corner of this page is the chat, as visitors get it with the settings that are saved. It is real: what you write there becomes a ticket.',

  rule_renamed: 'Somebody else renamed it to {name} meanwhile. Look whether yours is still the better name.',
} as const
