/** The files that a form's pages are shown with, each named as the setting is; a form has at most one of each. */
export const formFileKinds = ['logo', 'cover', 'backgroundImage', 'fontFile'] as const
export type FormFileKind = (typeof formFileKinds)[number]
