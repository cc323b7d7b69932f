/** Closes the menu of a phone when a link in it leads to a section of the same page. */
export function closeMenuAfterUse(): void {
  const menu = document.querySelector<HTMLDetailsElement>('details.menu')
  menu?.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a')) menu.open = false
  })
  document.addEventListener('click', ({ target }) => {
    if (menu?.open && !menu.contains(target as Node)) menu.open = false
  })
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && menu?.open) {
      menu.open = false
      menu.querySelector('summary')?.focus()
    }
  })
}
