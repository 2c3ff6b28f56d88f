/**
 * React's JSX, except that text shows the characters that change its direction. Names, prompts and answers come from outside, and such a
 * character makes a reader see another text than the one that is stored. Here it holds for every page; fields keep their values as they are.
 * vite.config.ts names this file as the source of JSX.
 */
import * as dev from 'react/jsx-dev-runtime';
import * as react from 'react/jsx-runtime';
import { showMarks } from './ui/direction-marks.ts';

export { Fragment } from 'react/jsx-runtime';

export const jsx: typeof react.jsx = (type, props, key) => react.jsx(type, withMarks(props), key);
export const jsxs: typeof react.jsxs = (type, props, key) => react.jsxs(type, withMarks(props), key);
export const jsxDEV: typeof dev.jsxDEV = (type, props, ...rest) => dev.jsxDEV(type, withMarks(props), ...rest);

function withMarks(props: unknown): unknown {
  if (typeof props !== 'object' || props === null || !('children' in props)) return props;
  const { children } = props;
  if (typeof children === 'string') return { ...props, children: showMarks(children) };
  if (!Array.isArray(children)) return props;
  return { ...props, children: children.map((child) => (typeof child === 'string' ? showMarks(child) : child)) };
}
