const KEY = 'handbill-docs-language'

/** Shows all examples in the language that was chosen for one of them, on later pages too. */
export function rememberLanguage(): void {
  const remembered = read()
  if (remembered !== null) choose(remembered)
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.name.startsWith('language-')) return
    // The other examples change their height, which must not move this one.
    const before = target.getBoundingClientRect().top
    choose(target.value)
    scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' })
    write(target.value)
  })
}

/** An example without this language keeps the one that it shows. */
function choose(language: string): void {
  const inputs = document.querySelectorAll<HTMLInputElement>('input[name^="language-"]')
  for (const input of inputs) if (input.value === language) input.checked = true
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

/** A browser can forbid storage: then, the choice is for this page only. */
function write(language: string): void {
  try {
    localStorage.setItem(KEY, language)
  } catch {}
}
