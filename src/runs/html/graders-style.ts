/** What the graders of a run add to the style sheet. It is left out where there are none, so that such a page is what it was. */
export const GRADERS_STYLE = `
.graders { margin: 1rem 0; }
.graders .episodes th, .graders .episodes td { padding: 0.4rem 0.6rem; vertical-align: top; }
.graders .episodes th .faint { display: block; font-weight: 400; }
.grades, .differences { list-style: none; padding: 0; overflow-wrap: anywhere; }
.grades > li { margin: 0.2rem 0; }
.grades .said { color: var(--faint); }
.grades details { display: inline-block; vertical-align: top; }
.differences > li { background: var(--card); border: 1px solid var(--line); border-left: 3px solid var(--fault); border-radius: 6px; padding: 0.4rem 0.75rem; margin: 0.4rem 0; }
`;
