/** `import css from './x.css' with { type: 'text' }` gives the styles as text. */
declare module '*.css' {
  const text: string
  export default text
}

declare module '*.md' {
  const text: string
  export default text
}
