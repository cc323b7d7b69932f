/** Whether the browser has passkeys for this page. */
export function hasPasskeys(): boolean {
  return window.isSecureContext && typeof window.PublicKeyCredential === 'function'
}
