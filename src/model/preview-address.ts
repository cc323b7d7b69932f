/** What the token of a preview address begins with: `/p/{slug}/~preview-…/{path}`. */
export const PREVIEW_TOKENS = 'preview-'
