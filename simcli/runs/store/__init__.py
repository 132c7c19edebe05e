"""Where runs lie: folders of this machine, or what stands for folders in a bucket."""
