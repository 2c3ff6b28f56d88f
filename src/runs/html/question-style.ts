/** What the report of questions adds to the style sheet: a table whose rows become cards where the page is narrow. */
export const QUESTION_STYLE = `
.questions { width: 100%; font-size: 0.9rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; border-collapse: separate; border-spacing: 0; table-layout: fixed; }
.questions th, .questions td { padding: 0.4rem 0.75rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.questions thead th { border-top: 0; color: var(--faint); font-size: 0.8rem; font-weight: 600; }
.questions thead th:nth-child(1) { width: 14%; }
.questions thead th:nth-child(2) { width: 6.5rem; }
.questions tbody th { font-weight: 600; }
.questions th .faint { display: block; }
.questions details pre { margin-top: 0.3rem; }
@media (max-width: 48rem) {
  .questions, .questions tbody, .questions tr, .questions th, .questions td { display: block; width: auto; }
  .questions thead { display: none; }
  .questions tr { border-top: 1px solid var(--line); padding: 0.4rem 0; }
  .questions tr:first-child { border-top: 0; }
  .questions th, .questions td { border: 0; padding: 0.15rem 0.75rem; }
  .questions td::before { content: attr(data-name); display: block; color: var(--faint); font-size: 0.75rem; }
}
`;
