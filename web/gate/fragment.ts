/**
 * Takes the query and the fragment of the address along through a gate, such as that of a link to a
 * comment. No form and no link has them by itself; a redirect to the page then keeps them.
 */
function keepFragment(): void {
  const end = location.search + location.hash
  for (const form of document.forms) {
    form.action = form.action.replace(/[?#].*|$/s, () => end)
    // The link of a mail opens another tab.
    const field = form.elements.namedItem('fragment')
    if (field instanceof HTMLInputElement) field.value = end
  }
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-next]')) {
    link.href = `/app/sign-in?next=${encodeURIComponent(link.dataset.next + end)}`
  }
}

keepFragment()
addEventListener('hashchange', keepFragment)
// The answer to a form takes the address of the page: Back and Reload send nothing again.
const { page } = document.querySelector<HTMLElement>('[data-page]')!.dataset
history.replaceState(null, '', page + location.search + location.hash)
