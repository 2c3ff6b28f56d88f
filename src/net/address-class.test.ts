import { expect, test } from 'vitest';
import { addressClass } from './address-class.ts';

test.each([
  ['8.8.8.8', 'public'],
  ['2606:4700::1111', 'public'],
  ['10.1.2.3', 'private'],
  ['172.31.255.255', 'private'],
  ['172.32.0.1', 'public'],
  ['192.168.0.1', 'private'],
  ['100.64.0.1', 'private'],
  ['fd12::1', 'private'],
  ['127.0.0.1', 'loopback'],
  ['127.255.0.9', 'loopback'],
  ['::1', 'loopback'],
  ['169.254.1.1', 'link-local'],
  ['fe80::1', 'link-local'],
  ['169.254.169.254', 'metadata'],
  ['169.254.170.2', 'metadata'],
  ['fd00:ec2::254', 'metadata'],
  ['fd00:ec2::23', 'metadata'],
  ['fd20:ce::254', 'metadata'],
  ['169.254.170.23', 'metadata'],
  ['100.100.100.200', 'metadata'],
  ['64:ff9b:1:7f00:0:100::', 'private'],
  ['2001::1', 'special'],
  ['100::1', 'special'],
  ['192.0.0.8', 'special'],
  ['0.0.0.0', 'special'],
  ['::', 'special'],
  ['224.0.0.1', 'special'],
  ['255.255.255.255', 'special'],
  ['ff02::1', 'special'],
] as const)('%s is %s', (address, expected) => expect(addressClass(address)).toBe(expected));

test.each([
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:a9fe:a9fe', 'metadata'],
  ['::7f00:1', 'loopback'],
  ['::ffff:0:10.0.0.7', 'private'],
  ['64:ff9b::169.254.169.254', 'metadata'],
  ['64:ff9b::808:808', 'public'],
  ['2002:7f00:1::', 'loopback'],
  ['2002:a9fe:a9fe::1', 'metadata'],
] as const)('%s leads to an IPv4 address that is %s', (address, expected) =>
  expect(addressClass(address)).toBe(expected),
);
