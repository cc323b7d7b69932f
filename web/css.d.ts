/** `import css from './x.css' with { type: 'text' }` gives the sheet as text. */
declare module '*.css' {
  const text: string
  export default text
}
