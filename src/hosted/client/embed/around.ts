/** In the query of a form's page: `light` or `dark`, as the page is that it stands in. No hidden field can be called so. */
export const AROUND = 'color-scheme'
