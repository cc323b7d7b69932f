/**
 * Takes the fragment of the address along through a gate, such as that of a link to a comment. No
 * form and no link has it by itself; a redirect to the page then keeps that of the form's address.
 */
function keepFragment(): void {
  const { hash } = location
  for (const form of document.forms) {
    form.action = form.action.replace(/#.*|$/s, () => hash)
    // The link of a mail opens another tab.
    const field = form.elements.namedItem('fragment')
    if (field instanceof HTMLInputElement) field.value = hash
  }
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-next]')) {
    link.href = `/app/sign-in?next=${encodeURIComponent(link.dataset.next + hash)}`
  }
}

keepFragment()
addEventListener('hashchange', keepFragment)
